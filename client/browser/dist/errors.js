/** Every error of this package. `message` is a sentence for a person. */
export class PerigeeError extends Error {
    fault;
    name = 'PerigeeError';
    constructor(fault, message, options) {
        super(message, options);
        this.fault = fault;
    }
}
/** The message of anything that was thrown. */
export function sentenceOf(error) {
    return error instanceof Error ? error.message : String(error);
}
