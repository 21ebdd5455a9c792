// The reason that a merchant's server states in its response. It is preferred to a cause that is guessed
// from the status: a 404 with "no such order" does not come from a wrong path.
/**
 * Enough for one or two sentences. A longer text is usually a page or a stack trace, which the callback log shows separately.
 */
const REASON_CHARS_MAX = 200

/** Finds the message in a JSON response, even if the end of the response was cut. */
const JSON_MESSAGE =
  /"(?:message|error_description|error|detail|details|reason|msg|title)"\s*:\s*"((?:[^"\\]|\\.)+)"/i

/** The texts that web servers and frameworks send on their own. They say no more than the status. */
const DEFAULT_TEXT =
  /^(?:error:?\s*)?(?:\d{3}\s*[-:]?\s*)?(?:bad request|unauthori[sz]ed|forbidden|(?:the )?(?:page|url|route|resource|file|path)?\s*not found|(?:the )?requested (?:url|resource)\b.*not found.*|no such (?:file|page|route).*|cannot (?:post|get) .*|route .*not found.*|no route .*|conflict|gone|unprocessable (?:entity|content)|internal server error|internal error|server error|error|not allowed|csrf .*|authentication credentials .*|unauthenticated|access denied|invalid)[.!]?$/i

/** Null if the response has no reason that says more than the status, for example if it is a page or a default text. */
export function findStatedReason(response: string | null): string | null {
  const text = response?.trim() ?? ''
  if (text === '' || text.startsWith('<')) return null
  const reason = text.startsWith('{') || text.startsWith('[') ? readMessage(text) : text
  const line = reason?.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() ?? ''
  const isSentence = /\p{L}{2}/u.test(line) && line.length <= REASON_CHARS_MAX
  return isSentence && !DEFAULT_TEXT.test(line) ? line : null
}

function readMessage(json: string): string | null {
  const found = JSON_MESSAGE.exec(json)
  if (!found) return null
  try {
    return JSON.parse(`"${found[1]}"`) as string
  } catch {
    // The message is badly escaped.
    return null
  }
}
