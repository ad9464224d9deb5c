import type { Stage } from '../stage';
import { isDocument } from '../values/document';
import { projectionOf } from '../stages/projectStage';

/** After these, a document has nothing of the one before but what they name. */
const MAKES_NEW: ReadonlySet<string> = new Set([
  ...['$group', '$bucket', '$bucketAuto', '$count', '$sortByCount'],
  ...['$replaceRoot', '$replaceWith'],
]);

/** Those that look at all there is. */
const WANTS_ALL: ReadonlySet<string> = new Set(['$redact', '$facet']);

/**
 * The fields that these stages may look at or let through; undefined when it may be all. It counts
 * every word in them that could be a name: rather one too many.
 */
export function neededFields(stages: readonly Stage[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const stage of stages) {
    if (WANTS_ALL.has(stage.name) || !addNames(stage.spec, names)) {
      return undefined;
    }
    if (MAKES_NEW.has(stage.name) || (stage.name === '$project' && !projectionOf(stage).excludes)) {
      return names.add('_id');
    }
  }
  return undefined;
}

/** Adds all words to `names`; false when a word stands for the whole document. */
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
