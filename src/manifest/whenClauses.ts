import type { Right } from '../core/model/permissions';
import type { ContextKey, ContextKeys } from './contextKeys';
import type { views } from './contributions';

/** Condition for a `when` or `enablement` property in package.json. */
export interface When {
  /** Clauses that must all be true. */
  readonly clauses: readonly string[];
}

/** VS Code context keys that conditions use. */
type PlatformKey =
  | 'activeWebviewPanelId'
  | 'editorLangId'
  | 'editorTextFocus'
  | 'explorerResourceIsFolder'
  | 'focusedView'
  | 'inputFocus'
  | 'isInDiffEditor'
  | 'listMultiSelection'
  | 'notebookEditorFocused'
  | 'notebookType'
  | 'resourceExtname'
  | 'resourceLangId'
  | 'resourcePath'
  | 'resourceScheme'
  | 'view';

type Value<K extends ContextKey | PlatformKey> = K extends ContextKey
  ? ContextKeys[K]
  : K extends 'view' | 'focusedView'
    ? (typeof views)[keyof typeof views]
    : string;

/** Token in the `contextValue` of a node in the Fleet view, other than permission tokens. */
export type NodeToken =
  | 'apiKey'
  | 'apiKeys'
  | 'dataset'
  | 'datasets'
  | 'error'
  | 'foreign'
  | 'fqdn'
  | 'fragment'
  | 'fragments'
  | 'invite'
  | 'location'
  | 'machine'
  | 'main'
  | 'member'
  | 'members'
  | 'mlModel'
  | 'module'
  | 'modules'
  | 'noQueries'
  | 'organization'
  | 'otherItems'
  | 'part'
  | 'registryFile'
  | 'registryItem'
  | 'registryVersion'
  | 'role'
  | 'shared'
  | 'trainingScript'
  | 'versioned';

/** Condition that a context key has a value other than false or an empty string. */
export const isSet = (key: ContextKey | PlatformKey): When => ({ clauses: [key] });

export const equals = <K extends ContextKey | PlatformKey>(key: K, value: Value<K>): When => ({
  clauses: [`${key} == ${String(value)}`],
});

export const matches = (key: ContextKey | PlatformKey, pattern: RegExp): When => ({
  clauses: [`${key} =~ ${String(pattern)}`],
});

/** Condition that the value of a context key is an element of the list in another context key. */
export const isIn = (key: PlatformKey, list: ContextKey): When => ({
  clauses: [`${key} in ${list}`],
});

export const all = (...conditions: readonly When[]): When => ({
  clauses: conditions.flatMap(({ clauses }) => clauses),
});

export const any = (...conditions: readonly When[]): When => ({
  clauses: [`(${conditions.map(formatWhen).join(' || ')})`],
});

export function not(condition: When): When {
  const text = formatWhen(condition);
  const [, key, value] = /^(\S+) == (\S+)$/.exec(text) ?? [];
  if (key !== undefined) return { clauses: [`${key} != ${value}`] };
  return { clauses: [/^[\w.]+$/.test(text) ? `!${text}` : `!(${text})`] };
}

/** Condition that a menu's node has at least one of the tokens. */
export const on = (...tokens: readonly (NodeToken | Right)[]): NodeWhen =>
  new NodeWhen([matchToken(tokens)], false);

/** Condition for a menu's node in the Fleet view. */
export class NodeWhen implements When {
  constructor(
    readonly clauses: readonly string[],
    /** True if the entry is also offered when more than one node is selected. */
    readonly allowsSelections: boolean,
  ) {}

  /** Requires that the user has a permission on the node's resource. */
  with(right: Right): NodeWhen {
    return this.and(on(right));
  }

  /** Requires at least one of the tokens. */
  is(...tokens: readonly NodeToken[]): NodeWhen {
    return this.and(on(...tokens));
  }

  /** Requires that the node has none of the tokens. */
  isNot(...tokens: readonly (NodeToken | Right)[]): NodeWhen {
    return this.and(not(on(...tokens)));
  }

  and(condition: When): NodeWhen {
    return new NodeWhen([...this.clauses, ...condition.clauses], this.allowsSelections);
  }

  /** Also offers the entry when more than one node is selected. */
  orSelections(): NodeWhen {
    return new NodeWhen(this.clauses, true);
  }

  /** Offers the entry only when more than one node is selected. */
  inSelections(): NodeWhen {
    return this.orSelections().and(isSet('listMultiSelection'));
  }
}

/** Formats a condition in the syntax of package.json. */
export function formatWhen({ clauses }: When): string {
  return clauses.join(' && ');
}

/** Matches whole tokens only, because one token can contain another. */
function matchToken(tokens: readonly string[]): string {
  const alternatives = tokens.length > 1 ? `(${tokens.join('|')})` : tokens.join();
  return `viewItem =~ /(^|;)${alternatives}(;|$)/`;
}
