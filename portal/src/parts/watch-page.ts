/**
 * To be called before a request. The returned function says whether the same page is still open, because a late response
 * must not move a person who has gone to another page.
 */
export function watchPage(): () => boolean {
  const page = location.pathname
  return () => location.pathname === page
}
