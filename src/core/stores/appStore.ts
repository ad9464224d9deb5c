import { type FleetClients, withSignal } from '../api/fleetClients';
import { type AppContent, appContentFromWire } from '../model/registryWire';
import type { ReadOptions } from './resourceCache';

/** Web applications of modules. Not cached, because they are requested individually. */
export class AppStore {
  constructor(private readonly clients: FleetClients) {}

  /**
   * @param publicNamespace namespace of the organization that publishes the app.
   * @throws FleetError `notFound` if the app doesn't exist, or the API key doesn't have permission
   *   to open it.
   */
  async get(
    publicNamespace: string,
    name: string,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<AppContent> {
    const answer = await this.clients.app.getAppContent(
      { publicNamespace, name },
      withSignal(signal),
    );
    return appContentFromWire(answer);
  }
}
