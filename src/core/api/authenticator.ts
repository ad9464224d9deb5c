import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';
import type { ApiKey, ReadApiKey } from './apiKey';
import { FleetError } from './errors';

const API_KEY_CREDENTIALS = 'api-key';

/** What comes back from an address that is not a fleet service but speaks HTTP/2. */
const STRANGERS: ReadonlySet<Code> = new Set([Code.Unimplemented, Code.Unknown]);

/** What a service answers to a key it does not know, or to an id that cannot be one. */
const REFUSALS: ReadonlySet<Code> = new Set([
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.InvalidArgument,
  Code.NotFound,
]);

/**
 * Exchanges the API key for a bearer token, once for all calls that need it. The token lives in
 * memory only; services issue ones that last, and a lost one is asked for again.
 */
export class Authenticator {
  private token: string | undefined;
  private running: Promise<string> | undefined;

  /** `transport` must not authenticate itself. */
  constructor(
    private readonly transport: Transport,
    private readonly readKey: ReadApiKey,
  ) {}

  /** Throws `FleetError` of kind `unauthenticated` when the key is wrong or lost. */
  getToken(): Promise<string> {
    if (this.token !== undefined) return Promise.resolve(this.token);
    this.running ??= this.exchange().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Forgets a token the service refused, unless another call has replaced it already. */
  refuse(token: string): void {
    if (this.token === token) this.token = undefined;
  }

  /** Forgets the token, because its key has changed. */
  forget(): void {
    this.token = undefined;
  }

  private async exchange(): Promise<string> {
    const key = await this.readKey();
    try {
      return await this.send(key);
    } catch (error) {
      // The key may have been rotated while this one was on its way.
      const now = isRefusal(error) ? await this.readKey() : key;
      if (now.secret === key.secret) throw exchangeError(error);
      return await this.send(now).catch((again: unknown) => {
        throw exchangeError(again);
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

function isRefusal(error: unknown): boolean {
  return REFUSALS.has(ConnectError.from(error).code);
}

function exchangeError(error: unknown): unknown {
  const { code } = ConnectError.from(error);
  if (isRefusal(error)) {
    return new FleetError(
      'unauthenticated',
      "The service doesn't accept this API key. Check the key and its ID, then sign in again.",
      { cause: error, action: 'signIn' },
    );
  }
  if (STRANGERS.has(code)) {
    return new FleetError(
      'unsupported',
      'The server at this address is not a fleet service. Check the address.',
      { cause: error, action: 'signIn' },
    );
  }
  return error;
}
