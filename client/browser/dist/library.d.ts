/** perigee_client.h, without the prefix. Addresses are numbers, 64-bit integers are BigInts. */
export interface Functions {
    abi(): number;
    create(abi: number): number;
    destroy(client: number): void;
    wire_version(): number;
    schema_hash(client: number): bigint;
    begin(client: number, nowUs: bigint, token: number, tokenBytes: number): number;
    receive(client: number, nowUs: bigint, from: number, datagram: number, bytes: number): number;
    advance(client: number, nowUs: bigint, input: number): number;
    input_fields(client: number, fields: number, each: number, capacity: number): number;
    set_input(client: number, name: number, value: bigint): number;
    own_input_bytes(client: number): number;
    set_own_input(client: number, fields: number, bytes: number): number;
    poll_send(client: number, to: number, datagram: number, capacity: number, bytes: number): number;
    disconnect(client: number, nowUs: bigint): number;
    get_state(client: number): number;
    scene(client: number, nowUs: bigint, entities: number, each: number, capacity: number): number;
    type_name(client: number, type: number): number;
    cues(client: number, cues: number, each: number, capacity: number): number;
    heard(client: number, cues: number, each: number, capacity: number): number;
    type_state_bytes(client: number, type: number): number;
    game_state(client: number, handle: number, state: number, bytes: number): number;
    world_state_bytes(client: number): number;
    world_state(client: number, state: number, bytes: number): number;
    player_name(client: number, handle: number, name: number, capacity: number): number;
    send_message(client: number, message: number, bytes: number): number;
    messages(client: number, message: number, capacity: number, bytes: number): number;
    get_ground(client: number, handle: number, ground: number): number;
    cells(client: number, handle: number, low: number, size: number, solid: number, capacity: number): number;
    get_time(client: number, time: number): number;
    get_telemetry(client: number, telemetry: number): number;
    net_graph(client: number, samples: number, each: number, capacity: number): number;
    link(client: number, nowUs: bigint, conditions: number): number;
    use(client: number, techniques: number): number;
    record(client: number, seconds: number): number;
    recording(client: number, recording: number, capacity: number, bytes: number): number;
    report_flight(client: number, half: number, halfBytes: number, other: number, otherBytes: number, reruns: number, json: number, capacity: number, jsonBytes: number): number;
    inject_desync(client: number, xM: number, yM: number, zM: number): number;
}
export declare class Library {
    #private;
    readonly call: Functions;
    private constructor();
    static of(module: WebAssembly.Module): Library;
    /** The module's memory as it is now; invalid after the next call of the module. */
    get bytes(): Uint8Array<ArrayBuffer>;
    get view(): DataView<ArrayBuffer>;
    allocate(bytes: number): number;
    release(address: number): void;
    /** A text that ends with a 0. */
    textAt(address: number): string;
}
