import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { LocationId, PartId } from './ids';
import { versionOf, versionToMilliseconds } from './versionToken';

/** `unknown` for a state that a newer service may know. */
export type SecretState = 'enabled' | 'disabled' | 'unknown';

/** A secret with which machines sign in. Shown nowhere: it goes to the clipboard when asked for. */
export interface MachineSecret {
  readonly id: string;
  readonly secret: string;
  readonly state: SecretState;
  readonly createdOn: Date | undefined;
}

/** Whose secret: those of a location let in all its machines, those of a part only itself. */
export type SecretOwner =
  | { readonly kind: 'location'; readonly id: LocationId }
  | { readonly kind: 'part'; readonly id: PartId };

/** Active secrets a location or a part may have, so that one can take over from the other. */
export const MAX_ACTIVE_SECRETS = 2;

/** A secret of the wire, where `state` is a number of the contract's enum. */
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
    createdOn: wire.createdOn && new Date(versionToMilliseconds(versionOf(wire.createdOn))),
  };
}

/** Those that machines can sign in with; only a secret said to be disabled is not one. */
export function activeSecrets(secrets: readonly MachineSecret[]): readonly MachineSecret[] {
  return secrets.filter(({ state }) => state !== 'disabled');
}

/** What a machine keeps in its config file to come online as a part. */
export interface CloudCredentials {
  readonly baseUrl: string;
  readonly partId: PartId;
  readonly secret: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * The JSON text of `/etc/viam.json`: the part's id and secret, and the address with its port, which
 * machines do not guess.
 */
export function cloudCredentialsText({ baseUrl, partId, secret }: CloudCredentials): string {
  const url = new URL(baseUrl);
  const port = url.port || (DEFAULT_PORTS[url.protocol] ?? '');
  const appAddress = `${url.protocol}//${url.hostname}${port && `:${port}`}`;
  const cloud = { app_address: appAddress, id: partId, secret };
  return `${JSON.stringify({ cloud }, undefined, 2)}\n`;
}
