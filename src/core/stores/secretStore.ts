import { required, withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import { type MachineSecret, secretFromWire, type SecretOwner } from '../model/machineSecret';
import type { ReadOptions } from './storeChange';

/** The secrets of locations and parts. Never cached: what is not kept cannot leak. */
export class SecretStore {
  constructor(private readonly clients: LoadClients) {}

  /**
   * The secrets in the order of the service, oldest first. Those of a part are left out of the
   * answer for a key that may not read them, while those of a location are refused (`permission`).
   */
  async list(
    owner: SecretOwner,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<readonly MachineSecret[]> {
    const { app } = await this.clients();
    const options = withSignal(signal);
    if (owner.kind === 'part') {
      const { part } = await app.getRobotPart({ id: owner.id }, options);
      return required(part, 'the part').secrets.map(secretFromWire);
    }
    const { auth } = await app.locationAuth({ locationId: owner.id }, options);
    return (auth?.secrets ?? []).map(secretFromWire);
  }

  /** Creates a secret and answers all of them. Throws when two are active already. */
  async create(owner: SecretOwner): Promise<readonly MachineSecret[]> {
    const { app } = await this.clients();
    const secrets =
      owner.kind === 'part'
        ? (await app.createRobotPartSecret({ partId: owner.id })).part?.secrets
        : (await app.createLocationSecret({ locationId: owner.id })).auth?.secrets;
    return (secrets ?? []).map(secretFromWire);
  }

  /** Machines that signed in with it are out at once. */
  async delete(owner: SecretOwner, secretId: string): Promise<void> {
    const { app } = await this.clients();
    if (owner.kind === 'part') await app.deleteRobotPartSecret({ partId: owner.id, secretId });
    else await app.deleteLocationSecret({ locationId: owner.id, secretId });
  }
}
