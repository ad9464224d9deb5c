import { atOnce } from '../../base/slices';
import { type JsonNode, parseJsonInSteps } from '../documents/jsonTree';
import { locateInTree } from '../documents/locateInTree';
import type { TextRange } from '../documents/rejection';
import { literalString, membersOf } from './configDiagnostic';
import { moduleIdsInText } from './fleetReferences';

/** Value or key that the fleet can complete. */
export type CompletionSubject =
  | { readonly kind: 'fragment' }
  | { readonly kind: 'module' }
  | { readonly kind: 'version'; readonly moduleId: string }
  /** Model of a component or service. `api` is undefined if the entry doesn't have one yet. */
  | { readonly kind: 'model'; readonly section: ResourceSection; readonly api: string | undefined }
  | { readonly kind: 'attribute'; readonly model: string; readonly written: ReadonlySet<string> }
  | {
      readonly kind: 'variable';
      readonly fragmentId: string;
      readonly version: string | undefined;
      readonly written: ReadonlySet<string>;
    };

/** Maximum number of characters between a key and its colon. */
const MAX_GAP = 100;

type ResourceSection = 'components' | 'services';

/** Position in a config at which the fleet can complete a value or key. */
export interface CompletionContext {
  readonly subject: CompletionSubject;
  /** Range to replace, including the quotes. */
  readonly range: TextRange;
  /** True if a key is completed that has no value yet. */
  readonly needsValue: boolean;
  /** IDs of the registry modules in the text. */
  readonly moduleIds: readonly string[];
}

/**
 * Returns the kind of value that the fleet can complete at an offset in a config, which can be
 * incomplete; undefined if there is none.
 * @param node the parsed text
 */
export function findCompletionContext(
  text: string,
  offset: number,
  node = atOnce(parseJsonInSteps(text)).tree,
): CompletionContext | undefined {
  if (!node) return undefined;
  const { path, previousNode, isAtPropertyKey } = locateInTree(text, node, offset);
  // A number or an object at the position isn't replaced.
  if (previousNode && previousNode.type !== 'string' && previousNode.type !== 'property') {
    return undefined;
  }
  const target = targetAt(path, isAtPropertyKey);
  if (!target) return undefined;
  const subject = describeSubject(target, node, path);
  if (!subject) return undefined;
  const range = previousNode ?? { offset, length: 0 };
  const end = range.offset + range.length;
  const hasValue = /^\s*:/.test(text.slice(end, end + MAX_GAP));
  return {
    subject,
    range: { offset: range.offset, length: range.length },
    needsValue: isAtPropertyKey && !hasValue,
    moduleIds: moduleIdsInText({ node, path: [] }),
  };
}

type Path = readonly (string | number)[];

/** Returns the kind of value that a config has at a path. */
function targetAt(path: Path, isKey: boolean): CompletionSubject['kind'] | undefined {
  const [section, , ...keys] = path;
  const [key] = keys;
  if (isKey) {
    if (keys.length !== 2) return undefined;
    if (section === 'fragments') return key === 'variables' ? 'variable' : undefined;
    return isResourceSection(section) && key === 'attributes' ? 'attribute' : undefined;
  }
  if (section === 'fragments' && path.length === 2) return 'fragment';
  if (keys.length !== 1) return undefined;
  if (section === 'fragments' && key === 'id') return 'fragment';
  if (section === 'fragment_mods' && key === 'fragment_id') return 'fragment';
  if (section === 'modules' && key === 'module_id') return 'module';
  if (section === 'modules' && key === 'version') return 'version';
  return isResourceSection(section) && key === 'model' ? 'model' : undefined;
}

function isResourceSection(section: unknown): section is ResourceSection {
  return section === 'components' || section === 'services';
}

function describeSubject(
  kind: CompletionSubject['kind'],
  root: JsonNode,
  path: Path,
): CompletionSubject | undefined {
  const [section = '', index = 0, key = ''] = path;
  const node = root.find([section, index]);
  if (kind === 'fragment' || kind === 'module') return { kind };
  if (!node) return undefined;
  const members = membersOf({ node, path: [] });
  const read = (name: string): string | undefined => literalString(members.get(name));
  const inner = members.get(String(key));
  const written = new Set(inner ? membersOf(inner).keys() : []);
  switch (kind) {
    case 'version': {
      const moduleId = read('module_id');
      return moduleId ? { kind, moduleId } : undefined;
    }
    case 'model': {
      const isComponent = section === 'components';
      const type = read('type');
      const ofType = type && `rdk:${isComponent ? 'component' : 'service'}:${type}`;
      return {
        kind,
        section: isComponent ? 'components' : 'services',
        api: read('api') ?? ((read('namespace') ?? 'rdk') === 'rdk' ? ofType : undefined),
      };
    }
    case 'attribute': {
      const model = read('model');
      return model ? { kind, model, written } : undefined;
    }
    case 'variable': {
      const fragmentId = read('id');
      return fragmentId
        ? { kind, fragmentId, version: read('version') || undefined, written }
        : undefined;
    }
  }
}
