// A replacement of `fetch`, for commands that run without a service.
interface SentRequest {
  url: string
  init: RequestInit
}

/** Responds with the body whose key is a part of the requested URL, or else with `{}`. Collects the requests. */
export function createFetch(bodies: Record<string, unknown>) {
  const sent: SentRequest[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    const found = Object.entries(bodies).find(([part]) => url.includes(part))
    return Response.json(found?.[1] ?? {})
  }
  return { sent, fetch }
}
