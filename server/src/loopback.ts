/** Whether a host is this machine itself, so that nothing in between can read or change what is sent. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(\.[0-9]+){3}$/.test(hostname);
