import type { Stage } from '../stage';
import { isDocument } from '../values/document';
import { parseProjection } from '../stages/projectStage';

/** Stages whose output documents contain only what the stage specifies. */
const MAKES_NEW: ReadonlySet<string> = new Set([
  ...['$group', '$bucket', '$bucketAuto', '$count', '$sortByCount'],
  ...['$replaceRoot', '$replaceWith'],
]);

/** Stages that can use all fields. */
const WANTS_ALL: ReadonlySet<string> = new Set(['$redact', '$facet']);

/**
 * Returns the names of the fields that these stages can use or pass on; undefined if the stages can
 * use all fields. Includes every word that could be a name, because extra names do no harm.
 */
export function neededFields(stages: readonly Stage[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const stage of stages) {
    if (WANTS_ALL.has(stage.name) || !addNames(stage.spec, names)) {
      return undefined;
    }
    if (
      MAKES_NEW.has(stage.name) ||
      (stage.name === '$project' && !parseProjection(stage).excludes)
    ) {
      return names.add('_id');
    }
  }
  return undefined;
}

/** Adds all words in a value to `names`. Returns false if a word refers to the whole document. */
function addNames(value: unknown, names: Set<string>): boolean {
  if (typeof value === 'string') {
    const [name = '', inner] = value.replace(/^\$\$(?:ROOT|CURRENT)(?:\.|$)/u, '$').split('.');
    names.add(name.replace(/^\$/u, ''));
    return name !== '$' && inner !== '';
  }
  if (Array.isArray(value)) {
    return value.every((item) => addNames(item, names));
  }
  return isDocument(value)
    ? Object.entries(value).every(
        ([name, member]) =>
          name !== '$getField' && addNames(name, names) && addNames(member, names),
      )
    : true;
}
