// Finds files of the portal that the service does not serve: files of a new page, or of a page that is still open in a tab.
const ROUNDS = 4

async function isServed(url: string): Promise<boolean> {
  const response = await fetch(url)
  await response.body?.cancel()
  return response.status === 200
}

/** Requests each file several times, because every process behind the balancer must serve it. */
export async function findMissingFiles(baseUrl: string, names: readonly string[]): Promise<string[]> {
  const missing = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) if (!(await isServed(`${baseUrl}/portal-assets/${name}`))) missing.add(name)
  return [...missing]
}

/**
 * Opens a new page several times, because one process may serve the page, and a process of another release may get the
 * requests for its files.
 */
export async function findMissingOfPage(baseUrl: string): Promise<string[]> {
  const missing: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = await (await fetch(`${baseUrl}/en/sign-in`)).text()
    const names = [...text.matchAll(/"\/portal-assets\/([^"]+)"/g)].map((match) => match[1]!)
    missing.push(
      ...(names.length === 0 ? ['(the page names no files)'] : await findMissingFiles(baseUrl, names)),
    )
  }
  return missing
}
