/** A flight, as perigee_client_report_flight() tells it: docs/flight_recorder.md explains the fields. */
export interface FlightDifference {
    field: string;
    client: string;
    worker: string;
}
/** One of the two files. */
export interface FlightHalf {
    side: 'client' | 'worker';
    build: string;
    session: string;
    tunables: string;
    /** First tick, as that side names it. */
    first: number;
    ticks: number;
    delayTicks: number;
    /** With reruns. */
    rerun?: {
        bitsDiffer: number;
        ticksDiffer: number;
        restarts: number;
    };
}
export interface FlightCorrection {
    /** The client's next tick to predict when it was corrected. */
    at: number;
    meters: number;
    /** The cause as the client judged it; absent without its half. */
    noted?: string;
    /** The first tick that ended at different places, and how far apart. */
    parted?: number;
    partedM?: number;
    /** They had already parted when the recordings begin. */
    beforehand?: boolean;
    difference?: FlightDifference;
    /** By counterfactual replay: without this cause, `leftM` of `errorM` remain. */
    cause?: string;
    /** No recorded tick has the error: the state was changed between two ticks. */
    betweenTicks?: boolean;
    since?: number;
    errorM?: number;
    leftM?: number;
    /** Without the client's half: inputs that the worker had to guess just before. */
    guessedBefore?: number;
}
/** Columns, one value for each tick; places and poses have three and seven. Positions: world, at the tick's end. */
export interface FlightRows {
    first: number;
    count: number;
    predictedM: (number | null)[];
    serverM: (number | null)[];
    /** As the client's packets claimed it. */
    claimedM: (number | null)[];
    /** x, y, z and rotation x, y, z, w of the server's parent. */
    parentPose: number[];
    /** Handles; 0: the world, -1: not recorded. */
    clientParent: number[];
    serverParent: number[];
    right: number[];
    up: number[];
    forward: number[];
    held: number[];
    pressed: number[];
    /** Those that the game adds to inputs, by name. */
    fields: Record<string, number[]>;
    /** 1: the worker had to guess the input. */
    guessed: number[];
}
export interface Flight {
    game: string;
    avatar: string;
    /** Whether this module has the game's rules: without them there are no causes. */
    rules: boolean;
    halves: FlightHalf[];
    tunables: FlightDifference[];
    corrections: FlightCorrection[];
    rows: FlightRows;
}
