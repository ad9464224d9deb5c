import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { type FleetClients, required, withSignal } from '../api/fleetClients';
import type { ReadOptions } from './resourceCache';
import type { LocationId, PartId } from '../model/ids';
import { toVersionToken, versionToMilliseconds } from '../model/timestamp';

/** Secrets of locations and parts. Never cached, to prevent them from leaking. */
export class SecretStore {
  constructor(private readonly clients: FleetClients) {}

  /**
   * Returns the secrets in the service's order, oldest first. If the API key doesn't have
   * permission to read them, the service omits a part's secrets, but rejects a request for a
   * location's secrets (`permission`).
   */
  async list(
    owner: SecretOwner,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<readonly MachineSecret[]> {
    const options = withSignal(signal);
    if (owner.kind === 'part') {
      const { part } = await this.clients.app.getRobotPart({ id: owner.id }, options);
      return required(part, 'part', this.clients.l10n).secrets.map(secretFromWire);
    }
    const { auth } = await this.clients.app.locationAuth({ locationId: owner.id }, options);
    return (auth?.secrets ?? []).map(secretFromWire);
  }

  /**
   * Creates a secret and returns all secrets of its owner. Throws if two secrets are already
   * active.
   */
  async create(owner: SecretOwner): Promise<readonly MachineSecret[]> {
    const secrets =
      owner.kind === 'part'
        ? (await this.clients.app.createRobotPartSecret({ partId: owner.id })).part?.secrets
        : (await this.clients.app.createLocationSecret({ locationId: owner.id })).auth?.secrets;
    return (secrets ?? []).map(secretFromWire);
  }

  /** Deletes a secret. Machines that signed in with it lose access immediately. */
  async delete(owner: SecretOwner, secretId: string): Promise<void> {
    if (owner.kind === 'part') {
      await this.clients.app.deleteRobotPartSecret({ partId: owner.id, secretId });
    } else {
      await this.clients.app.deleteLocationSecret({ locationId: owner.id, secretId });
    }
  }
}

/** A secret's state; `unknown` if a newer service sends a state that this client doesn't know. */
export type SecretState = 'enabled' | 'disabled' | 'unknown';

/**
 * Secret that machines use to sign in. Never displayed, only copied to the clipboard on request.
 */
export interface MachineSecret {
  readonly id: string;
  readonly secret: string;
  readonly state: SecretState;
  readonly createdOn: Date | undefined;
}

/**
 * Owner of a secret. A location's secret is valid for all of its machines, a part's secret only for
 * the part.
 */
export type SecretOwner =
  | { readonly kind: 'location'; readonly id: LocationId }
  | { readonly kind: 'part'; readonly id: PartId };

/**
 * Maximum number of active secrets for a location or part. Two are required so that a new secret
 * can replace an old one.
 */
export const MAX_ACTIVE_SECRETS = 2;

/** Secret on the wire, where `state` is a number in the API contract's enum. */
interface WireSecret {
  readonly id: string;
  readonly secret: string;
  readonly state: number;
  readonly createdOn?: Timestamp | undefined;
}

const STATES: Readonly<Partial<Record<number, SecretState>>> = { 1: 'enabled', 2: 'disabled' };

export function secretFromWire(wire: WireSecret): MachineSecret {
  return {
    id: wire.id,
    secret: wire.secret,
    state: STATES[wire.state] ?? 'unknown',
    createdOn: wire.createdOn && new Date(versionToMilliseconds(toVersionToken(wire.createdOn))),
  };
}

/** Returns the secrets that machines can use to sign in: all except disabled secrets. */
export function activeSecrets(secrets: readonly MachineSecret[]): readonly MachineSecret[] {
  return secrets.filter(({ state }) => state !== 'disabled');
}

/** Contents of a machine's config file that let the machine come online as a part. */
export interface CloudCredentials {
  readonly baseUrl: string;
  readonly partId: PartId;
  readonly secret: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * Formats the JSON text of `/etc/viam.json`: the part's ID and secret, and the address with its
 * port, which machines don't infer.
 */
export function formatCloudCredentials({ baseUrl, partId, secret }: CloudCredentials): string {
  const url = new URL(baseUrl);
  const port = url.port || (DEFAULT_PORTS[url.protocol] ?? '');
  const appAddress = `${url.protocol}//${url.hostname}${port && `:${port}`}`;
  const cloud = { app_address: appAddress, id: partId, secret };
  return `${JSON.stringify({ cloud }, undefined, 2)}\n`;
}
