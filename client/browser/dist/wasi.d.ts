export declare const wasiModule = "wasi_snapshot_preview1";
/** Prints the module's output on the console, line by line, and keeps the end of its errors. */
export declare class Wasi {
    #private;
    readonly functions: Record<string, (...values: number[]) => number>;
    use(memory: WebAssembly.Memory): void;
    /** The end of everything that was written to standard error. */
    get errors(): string;
}
