// The only place in the SDK that reads the clock.
export function readNowSec(): number {
  return Math.floor(Date.now() / 1000)
}

export function toIsoTime(sec: number): string {
  return new Date(sec * 1000).toISOString()
}
