/**
 * Call this function before a request. The returned function says whether the same page is still open. If the user has
 * opened another page, a late response must not navigate.
 */
export function watchPage(): () => boolean {
  const page = location.pathname
  return () => location.pathname === page
}
