/**
 * The functions of WASI that a module with the client library imports: it writes messages, and does
 * nothing else with the outside.
 */
const textBytesMax = 4096;
const standardOutput = 1;
const standardError = 2;
const badFile = 8; // __WASI_ERRNO_BADF
const noSeek = 70; // __WASI_ERRNO_SPIPE
const characterDevice = 2;
const fileStatusBytes = 24;
const segmentBytes = 8; // of an iovec: address and length

export const wasiModule = 'wasi_snapshot_preview1';

/** Prints the module's output on the console, line by line, and keeps the end of its errors. */
export class Wasi {
  #memory: WebAssembly.Memory | undefined;
  #unfinished = ['', '', ''];
  #errors = '';

  readonly functions: Record<string, (...values: number[]) => number> = {
    fd_write: (file, segments, count, written) => this.#write(file!, segments!, count!, written!),
    fd_fdstat_get: (file, status) => this.#status(file!, status!),
    fd_close: () => 0,
    fd_seek: () => noSeek,
  };

  use(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  /** The end of everything that was written to standard error. */
  get errors(): string {
    return (this.#errors + this.#unfinished[standardError]!).trim();
  }

  #write(file: number, segments: number, count: number, written: number): number {
    if (file !== standardOutput && file !== standardError) return badFile;
    const view = new DataView(this.#memory!.buffer);
    let text = this.#unfinished[file]!;
    let bytes = 0;
    for (let i = 0; i < count; ++i) {
      const address = view.getUint32(segments + i * segmentBytes, true);
      const length = view.getUint32(segments + i * segmentBytes + 4, true);
      text += new TextDecoder().decode(new Uint8Array(view.buffer, address, length));
      bytes += length;
    }
    const lines = text.split('\n');
    this.#unfinished[file] = lines.pop()!.slice(-textBytesMax);
    for (const line of lines) this.#print(file, line);
    view.setUint32(written, bytes, true);
    return 0;
  }

  #print(file: number, line: string): void {
    if (file === standardOutput) {
      console.log(line);
    } else {
      console.error(line);
      this.#errors = `${this.#errors}${line}\n`.slice(-textBytesMax);
    }
  }

  /** Both are terminals: the C library then writes each line at once. */
  #status(file: number, status: number): number {
    if (file !== standardOutput && file !== standardError) return badFile;
    const bytes = new Uint8Array(this.#memory!.buffer, status, fileStatusBytes).fill(0);
    bytes[0] = characterDevice;
    return 0;
  }
}
