/** Where somebody sets their password. What stands behind the # is sent to no server and written in no log. */
export function passwordLink(token: string): string {
  return `${window.location.origin}/set-password#${token}`;
}
