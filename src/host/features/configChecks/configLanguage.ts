import { findNodeAtOffset, getLocation, type Node } from 'jsonc-parser';
import * as vscode from 'vscode';
import {
  allResourceNames,
  type ResourceDefinition,
  type ResourceNames,
  type ResourceReference,
  resourceNamesIn,
} from '../../../core/configChecks/resourceNames';
import { allNamesIn } from '../../../core/configChecks/fragmentNames';
import { MAX_NAME_LENGTH, NAME } from '../../../core/configChecks/entryRules';
import { describeSchedule, parseSchedule } from '../../../core/configChecks/schedule';
import { parseStrictTree } from '../../../core/documents/jsonText';
import type { KnownModules } from '../../../core/configChecks/checkModules';
import type { ConfigDiagnostic } from '../../../core/configChecks/configDiagnostic';
import type { ResolvedPart } from '../../platform/documents/resolvePart';
import { toRange } from './configDocument';

/** Result of a document's last check. */
export interface CheckedConfig {
  /** Document version that was checked. */
  readonly version: number;
  readonly diagnostics: readonly ConfigDiagnostic[];
  /** Resolved config; undefined if the fragments can't be read. */
  readonly resolved: ResolvedPart | undefined;
  readonly modules: KnownModules;
}

/** Returns the result of a document's last check; undefined if it isn't a checked config. */
export type FindChecked = (document: vscode.TextDocument) => CheckedConfig | undefined;

/** Quick fixes for diagnostics that have a replacement. */
export class ConfigFixes implements vscode.CodeActionProvider {
  constructor(private readonly find: FindChecked) {}

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const checked = this.find(document);
    if (checked?.version !== document.version) return [];
    return checked.diagnostics.flatMap(({ code, severity, offset, length, replacement }) => {
      const marked = toRange(document, { offset, length });
      if (replacement === undefined || !marked.intersection(range)) return [];
      const title = vscode.l10n.t('Change to {0}', replacement);
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, marked, replacement);
      // A newer version is a choice, not a correction.
      action.isPreferred = severity !== 'suggestion';
      action.diagnostics = diagnostics.filter(
        (one) => one.code === code && one.range.isEqual(marked),
      );
      return [action];
    });
  }
}

/** Explains a job's schedule. */
export class ScheduleHover implements vscode.HoverProvider {
  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const text = document.getText();
    const { path, previousNode } = getLocation(text, document.offsetAt(position));
    const [section, , key] = path;
    if (path.length !== 3 || section !== 'jobs' || key !== 'schedule') return undefined;
    const written: unknown = previousNode?.value;
    const schedule =
      typeof written === 'string' ? parseSchedule(written, vscode.env.language) : undefined;
    if (!previousNode || !schedule) return undefined;
    const explanation = new vscode.MarkdownString().appendText(
      describeSchedule(schedule, vscode.l10n),
    );
    return new vscode.Hover(explanation, toRange(document, previousNode));
  }
}

type Named = ResourceDefinition | ResourceReference;

/** Names of resources in a config: definitions, references, renaming, and completion. */
export class ConfigNames
  implements
    vscode.DefinitionProvider,
    vscode.ReferenceProvider,
    vscode.RenameProvider,
    vscode.CompletionItemProvider
{
  constructor(private readonly find: FindChecked) {}

  provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.Location[] | undefined {
    const found = this.namesAt(document, position);
    return found?.definitions.map(({ name }) => locationOf(document, name.node));
  }

  provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): vscode.Location[] | undefined {
    const found = this.namesAt(document, position);
    return found
      ?.ranges(includeDeclaration)
      .map((range) => new vscode.Location(document.uri, range));
  }

  prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): { range: vscode.Range; placeholder: string } {
    const found = this.namesAt(document, position);
    if (!found) throw new Error(vscode.l10n.t('Only names of resources can be renamed.'));
    if (found.definitions.length === 0) {
      throw new Error(
        vscode.l10n.t(
          '"{0}" is defined outside this config, so it can\'t be renamed here.',
          found.text,
        ),
      );
    }
    return { range: found.at, placeholder: found.text };
  }

  provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): vscode.WorkspaceEdit | undefined {
    const found = this.namesAt(document, position);
    const checked = this.find(document);
    if (!found || !checked || found.definitions.length === 0) return undefined;
    if (!NAME.test(newName) || newName.length > MAX_NAME_LENGTH) {
      throw new Error(
        vscode.l10n.t(
          '"{0}" is not a valid name. Use up to {1} letters, digits, dashes, and underscores, and start with a letter or digit.',
          newName,
          String(MAX_NAME_LENGTH),
        ),
      );
    }
    if (newName !== found.text && namesOf(document.getText(), checked).has(newName)) {
      throw new Error(vscode.l10n.t('This config already has a resource named "{0}".', newName));
    }
    return found.renameTo(newName);
  }

  provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.CompletionItem[] | undefined {
    const checked = this.find(document);
    const text = document.getText();
    const { path, previousNode, isAtPropertyKey } = getLocation(text, document.offsetAt(position));
    if (!checked || isAtPropertyKey || !isReferencePath(path)) return undefined;
    const range =
      previousNode?.type === 'string'
        ? toRange(document, previousNode)
        : new vscode.Range(position, position);
    const isFrame = path.includes('frame');
    return [...namesOf(text, checked), ...(isFrame ? ['world'] : [])].map((name) => {
      const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Reference);
      item.insertText = JSON.stringify(name);
      item.filterText = item.insertText;
      item.range = range;
      return item;
    });
  }

  /** Returns all occurrences of the name at a position; undefined if there is no name. */
  private namesAt(document: vscode.TextDocument, position: vscode.Position): FoundName | undefined {
    const tree = parseStrictTree(document.getText());
    const checked = this.find(document);
    if (!tree || !checked) return undefined;
    const node = findNodeAtOffset(tree, document.offsetAt(position), true);
    const names = allNamesIn({ node: tree, path: [] }, checked.resolved);
    const one: Named | undefined =
      names.definitions.find(({ name }) => name.node === node) ??
      names.references.find(({ at }) => at.node === node);
    return one && new FoundName(document, names, one);
  }
}

class FoundName {
  readonly text: string;
  readonly definitions: readonly ResourceDefinition[];
  private readonly references: readonly ResourceReference[];

  constructor(
    private readonly document: vscode.TextDocument,
    names: ResourceNames,
    private readonly one: Named,
  ) {
    const text = 'section' in one ? one.text : one.name;
    this.text = text;
    this.definitions = names.definitions.filter((other) => other.text === text);
    this.references = names.references.filter((other) => other.name === text);
  }

  /** Range of the name at the position, without quotes and qualifiers. */
  get at(): vscode.Range {
    return this.rangeIn(this.one);
  }

  /**
   * Returns the edits for a new name. They replace complete strings, because a name can be written
   * with escapes. A value in attributes, variables, or overrides might equal the name by chance, so
   * VS Code asks the user to confirm that edit.
   */
  renameTo(newName: string): vscode.WorkspaceEdit {
    const edit = new vscode.WorkspaceEdit();
    const confirmations: Partial<
      Record<ResourceReference['kind'], vscode.WorkspaceEditEntryMetadata>
    > = {
      attribute: { label: vscode.l10n.t('Values in attributes'), needsConfirmation: true },
      fragment: {
        label: vscode.l10n.t('Values in variables and overrides of fragments'),
        needsConfirmation: true,
      },
    };
    for (const one of [...this.definitions, ...this.references]) {
      const [{ node }, start] = 'section' in one ? [one.name, 0] : [one.at, one.start];
      const written = String(node.value);
      const renamed = written.slice(0, start) + newName + written.slice(start + this.text.length);
      edit.replace(
        this.document.uri,
        toRange(this.document, node),
        JSON.stringify(renamed),
        'section' in one ? undefined : confirmations[one.kind],
      );
    }
    return edit;
  }

  ranges(withDefinitions: boolean): vscode.Range[] {
    const found = [...(withDefinitions ? this.definitions : []), ...this.references];
    return found.map((one) => this.rangeIn(one));
  }

  private rangeIn(one: Named): vscode.Range {
    const [{ node }, start] = 'section' in one ? [one.name, 0] : [one.at, one.start];
    // If a value is written with escapes, offsets in the value differ from offsets in the text.
    const isPlain = node.length === String(node.value).length + 2;
    return isPlain
      ? toRange(this.document, { offset: node.offset + 1 + start, length: this.text.length })
      : toRange(this.document, node);
  }
}

/** Returns true if the value at a path refers to a resource by its name. */
function isReferencePath(path: readonly (string | number)[]): boolean {
  const [section, , ...keys] = path;
  const key = keys.filter((step) => typeof step === 'string').join('.');
  if (section === 'jobs') return key === 'resource';
  const isNamed = section === 'components' || section === 'services' || section === 'remotes';
  return isNamed && (key === 'depends_on' || key === 'frame.parent');
}

/** Returns the names of the resources in a config and its fragments. */
function namesOf(text: string, { resolved }: CheckedConfig): ReadonlySet<string> {
  const tree = parseStrictTree(text);
  const own = tree ? resourceNamesIn({ node: tree, path: [] }).definitions : [];
  const names = resolved ? allResourceNames(resolved.config) : new Set<string>();
  for (const { text: name } of own) names.add(name);
  return names;
}

function locationOf(document: vscode.TextDocument, node: Node): vscode.Location {
  return new vscode.Location(document.uri, toRange(document, node));
}
