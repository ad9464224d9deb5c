import type { DescMethod } from '@bufbuild/protobuf';
import type { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import type { Localizer } from '../../base/localizer';
import type { Connection } from '../model/connection';
import { toDisplayText } from '../model/displayText';
import type { ConnectionId } from '../model/ids';
import { FleetError } from './errors';

/** A literal, because importing the enum would load generated code. */
const NO_SIDE_EFFECTS: Idempotency.NO_SIDE_EFFECTS = 1;

/**
 * Returns true if an operation only reads. The contract is the only table of these operations: it
 * marks them with `NO_SIDE_EFFECTS`. All other operations, including those that a later version of
 * the contract adds without a mark, count as changes.
 */
export function isReadOperation({ idempotency }: Pick<DescMethod, 'idempotency'>): boolean {
  return idempotency === NO_SIDE_EFFECTS;
}

/** Pipeline stages that store the result of a query. */
const STORING_STAGES: readonly string[] = ['$out', '$merge'];
/** Offset of the first key in a BSON document, after its length and the type of the value. */
const FIRST_KEY_OFFSET = 5;

/**
 * Returns true if a unary call only reads. Other services might run pipelines that store their
 * result, so that such a query counts as a change.
 */
export function isReadCall(method: Pick<DescMethod, 'idempotency'>, request: object): boolean {
  if (!isReadOperation(method)) return false;
  const stages = 'mqlBinary' in request ? (request.mqlBinary as readonly Uint8Array[]) : [];
  return !stages.some((stage) => STORING_STAGES.includes(readFirstKey(stage)));
}

function readFirstKey(document: Uint8Array): string {
  const end = document.indexOf(0, FIRST_KEY_OFFSET);
  return new TextDecoder().decode(document.subarray(FIRST_KEY_OFFSET, end));
}

/** Error for a change that was rejected because its connection is read-only. */
export class ReadOnlyConnectionError extends FleetError {
  readonly connectionId: ConnectionId;

  constructor(connection: Connection, l10n: Localizer) {
    super('permission', describeReadOnly(connection, l10n), {
      action: connection.readOnly === 'required' ? undefined : 'allowChanges',
    });
    this.connectionId = connection.id;
  }
}

/** Describes why a connection is read-only, and how to allow changes. */
export function describeReadOnly({ label, readOnly }: Connection, l10n: Localizer): string {
  const name = toDisplayText(label);
  return readOnly === 'required'
    ? l10n.t(
        'The setting "fleetwright.connections.readOnly" makes the connection "{0}" read-only. To allow changes, edit the setting.',
        name,
      )
    : l10n.t(
        'The connection "{0}" is read-only. To change anything, allow changes in the connection first.',
        name,
      );
}

/** Throws `ReadOnlyConnectionError` if a connection is read-only. */
export function requireWritable(connection: Connection | undefined, l10n: Localizer): void {
  if (connection?.readOnly) throw new ReadOnlyConnectionError(connection, l10n);
}
