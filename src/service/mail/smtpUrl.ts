/** Server for sending messages, and its credentials. */
export interface SmtpServer {
  host: string;
  port: number;
  /**
   * True to use TLS from the start. If false, the connection is upgraded to TLS if the server
   * supports it.
   */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
}

/** Default ports for submission with STARTTLS (RFC 6409) and with TLS from the start (RFC 8314). */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Parses a URL in the form `smtp(s)://[user:password@]host[:port]`; undefined if it is invalid. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  const defaultPort = url && DEFAULT_PORTS[url.protocol];
  if (!defaultPort || url.hostname === '' || !isBare(url)) {
    return undefined;
  }
  try {
    const user = decodeURIComponent(url.username);
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? defaultPort : Number(url.port),
      secure: url.protocol === 'smtps:',
      auth: user === '' ? undefined : { user, pass: decodeURIComponent(url.password) },
    };
  } catch {
    // The URL contains a percent sign that doesn't encode anything.
    return undefined;
  }
}

function isBare(url: URL): boolean {
  return url.search === '' && url.hash === '' && (url.pathname === '' || url.pathname === '/');
}
