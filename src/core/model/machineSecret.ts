import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { LocationId, PartId } from './ids';
import { toVersionToken, versionToMilliseconds } from './versionToken';

/** State of a secret; `unknown` if a newer service sends a state that this client doesn't know. */
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
 * Maximum number of active secrets of a location or part. Two are required so that a new secret can
 * replace an old one.
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

/** Returns the secrets that machines can use to sign in, which are all except disabled secrets. */
export function activeSecrets(secrets: readonly MachineSecret[]): readonly MachineSecret[] {
  return secrets.filter(({ state }) => state !== 'disabled');
}

/** Contents of a machine's config file that allow the machine to come online as a part. */
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
