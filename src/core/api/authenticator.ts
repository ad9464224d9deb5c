import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { englishLocalizer, type Localizer } from '../../base/localizer';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';
import type { ApiKey, ReadApiKey } from '../model/connection';
import { FleetError } from './errors';

const API_KEY_CREDENTIALS = 'api-key';

/** Error codes that indicate a server that speaks HTTP/2 but is not a fleet service. */
const STRANGERS: ReadonlySet<Code> = new Set([Code.Unimplemented, Code.Unknown]);

/** Error codes that a service returns for an unknown key or an invalid key ID. */
const REFUSALS: ReadonlySet<Code> = new Set([
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.InvalidArgument,
  Code.NotFound,
]);

/**
 * Exchanges the API key for a bearer token, once for all calls that need the token. Stores the
 * token in memory only, because services issue long-lived tokens, and a lost token can be requested
 * again.
 */
export class Authenticator {
  private token: string | undefined;
  private running: Promise<string> | undefined;

  /** `transport` must not add authentication. */
  constructor(
    private readonly transport: Transport,
    private readonly readKey: ReadApiKey,
    private readonly l10n = englishLocalizer,
  ) {}

  /** Throws `FleetError` of kind `unauthenticated` when the key is invalid or no longer stored. */
  getToken(): Promise<string> {
    if (this.token !== undefined) return Promise.resolve(this.token);
    this.running ??= this.exchange().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Clears a token that the service rejected, unless another call has already replaced it. */
  invalidate(token: string): void {
    if (this.token === token) this.token = undefined;
  }

  /** Clears the token because its key has changed. */
  clear(): void {
    this.token = undefined;
  }

  private async exchange(): Promise<string> {
    const key = await this.readKey();
    try {
      return await this.send(key);
    } catch (error) {
      // The key might have been rotated during the request.
      const now = isRejection(error) ? await this.readKey() : key;
      if (now.secret === key.secret) throw exchangeError(error, this.l10n);
      return await this.send(now).catch((again: unknown) => {
        throw exchangeError(again, this.l10n);
      });
    }
  }

  private async send({ id, secret }: ApiKey): Promise<string> {
    const client = createClient(AuthService, this.transport);
    const answer = await client.authenticate({
      entity: id,
      credentials: { type: API_KEY_CREDENTIALS, payload: secret },
    });
    this.token = answer.accessToken;
    return answer.accessToken;
  }
}

function isRejection(error: unknown): boolean {
  return REFUSALS.has(ConnectError.from(error).code);
}

function exchangeError(error: unknown, l10n: Localizer): unknown {
  const { code } = ConnectError.from(error);
  if (isRejection(error)) {
    return new FleetError(
      'unauthenticated',
      l10n.t(
        "The service doesn't accept this API key. Check the key and its ID, then sign in again.",
      ),
      { cause: error, action: 'signIn' },
    );
  }
  if (STRANGERS.has(code)) {
    return new FleetError(
      'unsupported',
      l10n.t('The server at this address is not a fleet service. Check the address.'),
      { cause: error, action: 'signIn' },
    );
  }
  return error;
}
