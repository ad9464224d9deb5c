import { withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import { type AppContent, appContentFromWire } from '../model/appContent';
import type { ReadOptions } from './storeChange';

/** The web applications that modules bring along. Not cached: they are looked up one at a time. */
export class AppStore {
  constructor(private readonly clients: LoadClients) {}

  /**
   * @param publicNamespace that of the organization that publishes the app.
   * @throws FleetError `notFound` when there is none, or this key may not open it.
   */
  async get(
    publicNamespace: string,
    name: string,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<AppContent> {
    const { app } = await this.clients();
    const answer = await app.getAppContent({ publicNamespace, name }, withSignal(signal));
    return appContentFromWire(answer);
  }
}
