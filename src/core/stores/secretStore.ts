import { required, withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import { type MachineSecret, secretFromWire, type SecretOwner } from '../model/machineSecret';
import type { ReadOptions } from './storeChange';

/** Secrets of locations and parts. Never cached, to prevent them from leaking. */
export class SecretStore {
  constructor(private readonly clients: LoadClients) {}

  /**
   * Returns the secrets in the order of the service, oldest first. If the API key doesn't have
   * permission to read them, the service omits the secrets of a part, but rejects a request for the
   * secrets of a location (`permission`).
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

  /**
   * Creates a secret and returns all secrets of its owner. Throws if two secrets are already
   * active.
   */
  async create(owner: SecretOwner): Promise<readonly MachineSecret[]> {
    const { app } = await this.clients();
    const secrets =
      owner.kind === 'part'
        ? (await app.createRobotPartSecret({ partId: owner.id })).part?.secrets
        : (await app.createLocationSecret({ locationId: owner.id })).auth?.secrets;
    return (secrets ?? []).map(secretFromWire);
  }

  /** Deletes a secret. Machines that signed in with it lose access immediately. */
  async delete(owner: SecretOwner, secretId: string): Promise<void> {
    const { app } = await this.clients();
    if (owner.kind === 'part') await app.deleteRobotPartSecret({ partId: owner.id, secretId });
    else await app.deleteLocationSecret({ locationId: owner.id, secretId });
  }
}
