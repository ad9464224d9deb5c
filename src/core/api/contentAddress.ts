import { englishLocalizer, type Localizer } from '../../base/localizer';
import { FleetError } from './errors';

/** Request parameters for the address of content. */
export interface ContentAddress {
  readonly url: URL;
  /** True to send the connection's token. */
  readonly withToken: boolean;
}

/**
 * Returns the request parameters for an address and decides whether to send the token. The address
 * comes from the service and can lead to a third-party store, which must not receive the token.
 * Only the connection's own scheme, host, and port can receive it. Rejects other addresses that
 * don't use HTTPS.
 * @throws FleetError of kind `unsupported` for an address that is not allowed.
 */
export function contentAddress(
  uri: string,
  baseUrl: string,
  l10n = englishLocalizer,
): ContentAddress {
  const url = parse(uri, l10n);
  const withToken = url.origin === new URL(baseUrl).origin;
  if (!withToken && url.protocol !== 'https:') {
    const message = l10n.t(
      "Couldn't load the content because its address, {0}, is neither encrypted nor the address of this connection. The service operator can set the public address of the service.",
      `${url.protocol}//${url.host}`,
    );
    throw new FleetError('unsupported', message);
  }
  // User information before the host would be sent as a password.
  url.username = '';
  url.password = '';
  return { url, withToken };
}

/**
 * Returns the address that a response redirects to. After a redirect away from the connection's own
 * address, never sends the token again, even if a later redirect leads back.
 */
export function redirectedAddress(
  from: ContentAddress,
  location: string,
  baseUrl: string,
  l10n = englishLocalizer,
): ContentAddress {
  const to = contentAddress(new URL(location, from.url).href, baseUrl, l10n);
  return { url: to.url, withToken: to.withToken && from.withToken };
}

function parse(uri: string, l10n: Localizer): URL {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new FleetError(
    'unsupported',
    l10n.t("The service didn't provide an address for the content."),
  );
}
