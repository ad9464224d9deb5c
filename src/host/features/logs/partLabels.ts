import { displayName, toDisplayText } from '../../../core/model/toDisplayText';
import type { PartId } from '../../../core/model/ids';
import type { PartTarget } from '../../../core/model/resourceTarget';

const SHORT_ID_LENGTH = 8;

/**
 * Returns a unique label for each part. A main part is labeled with the machine's name, because the
 * service names main parts after their machines. Any other part is labeled `machine › part`.
 * Duplicate labels also contain the start of the ID.
 */
export function partLabels(parts: readonly PartTarget[]): ReadonlyMap<PartId, string> {
  const plain = parts.map((part) => plainLabel(part));
  return new Map(
    parts.map((part, index) => {
      const label = plain[index] ?? '';
      const isTaken = plain.some((other, otherIndex) => otherIndex !== index && other === label);
      return [part.partId, isTaken ? `${label} (${shortId(part.partId)})` : label];
    }),
  );
}

function plainLabel({ machineId, machineName, partId, name }: PartTarget): string {
  const machine = displayName({ name: machineName, id: machineId });
  const isNamedAfterMachine = name === machineName || name === `${machineName}-main`;
  return isNamedAfterMachine ? machine : `${machine} › ${displayName({ name, id: partId })}`;
}

function shortId(id: PartId): string {
  return toDisplayText(id.slice(0, SHORT_ID_LENGTH));
}
