/** Address of a gateway, as the token names it. */
export declare class Address {
    readonly encoded: Uint8Array;
    readonly host: string;
    readonly port: number;
    /** "10.0.0.7:40000" or "[fd00:0:0:0:0:0:0:1]:40000". */
    readonly text: string;
    /** `encoded`: a perigee_client_address. */
    private constructor();
    static read(bytes: Uint8Array, at: number): Address;
    isAt(bytes: Uint8Array, at: number): boolean;
}
