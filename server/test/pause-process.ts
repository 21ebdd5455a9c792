/** Blocks this thread. During this time no timer fires and no socket is read, as in a paused process. */
export function pauseProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
