import { setTimeout } from 'node:timers/promises';
import type { HttpRoute } from '../server/http';
import { accountRoute } from './accountRoutes';
import { sendSignInLink, type SignInDependencies } from './signIn';

const CLOSING_MS = 2_000;

/** Browser pages and emails for users who don't use an API key. */
export class Accounts {
  /** Route that serves the pages. */
  readonly route: HttpRoute;
  readonly #sending = new Set<Promise<void>>();

  constructor(dependencies: SignInDependencies) {
    const { logger } = dependencies;
    this.route = accountRoute({
      ...dependencies,
      sendSignInLink: (address) => {
        const sending = sendSignInLink(dependencies, address)
          .catch((error: unknown) => {
            logger.error('a sign-in link could not be created', { error: String(error) });
          })
          .finally(() => this.#sending.delete(sending));
        this.#sending.add(sending);
      },
    });
  }

  /** Waits briefly for messages that are still being sent. */
  async close(): Promise<void> {
    const grace = new AbortController();
    await Promise.race([
      Promise.all(this.#sending),
      setTimeout(CLOSING_MS, undefined, { signal: grace.signal, ref: false }).catch(
        () => undefined,
      ),
    ]);
    grace.abort();
  }
}
