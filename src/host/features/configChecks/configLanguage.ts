import * as vscode from 'vscode';
import {
  allResourceNames,
  type ResourceDefinition,
  type ResourceNames,
  type ResourceReference,
} from '../../../core/configChecks/resourceNames';
import { allNamesInSteps } from '../../../core/configChecks/fragmentNames';
import { MAX_NAME_LENGTH, NAME } from '../../../core/configChecks/ruleTables';
import { describeSchedule, parseSchedule } from '../../../core/configChecks/schedule';
import { locateInTree } from '../../../core/documents/locateInTree';
import type { KnownModules } from '../../../core/configChecks/checkModules';
import type { ResolvedDiagnostic } from '../../../core/configChecks/checkResolvedConfig';
import type { ResolvedPart } from '../../platform/documents/resolvePart';
import type { TextRange } from '../../../core/documents/rejection';
import { toRange } from '../../platform/documents/toRange';
import type { ParsedConfigs, ParsedDocument } from './parsedConfigs';

/** Result of a document's last check. */
export interface CheckedConfig {
  /** Document version that was checked. */
  readonly version: number;
  readonly diagnostics: readonly ResolvedDiagnostic[];
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
  constructor(private readonly configs: ParsedConfigs) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    const node = (await this.configs.get(document))?.tree?.findAt(offset);
    const written = node?.type === 'string' ? node.value : undefined;
    if (!node || typeof written !== 'string') return undefined;
    const { path } = node;
    const [section, , key] = path;
    if (path.length !== 3 || section !== 'jobs' || key !== 'schedule') return undefined;
    const schedule = parseSchedule(written, vscode.env.language);
    if (!schedule) return undefined;
    const explanation = new vscode.MarkdownString().appendText(
      describeSchedule(schedule, vscode.l10n),
    );
    return new vscode.Hover(explanation, toRange(document, node));
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
  constructor(
    private readonly configs: ParsedConfigs,
    private readonly find: FindChecked,
  ) {}

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location[] | undefined> {
    const found = await this.namesAt(document, position);
    return found?.definitions.map(({ name }) => locationOf(document, name.node));
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): Promise<vscode.Location[] | undefined> {
    const found = await this.namesAt(document, position);
    return found
      ?.ranges(includeDeclaration)
      .map((range) => new vscode.Location(document.uri, range));
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const found = await this.namesAt(document, position);
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

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const found = await this.namesAt(document, position);
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
    if (newName !== found.text && (await namesOf(found.parsed, checked)).has(newName)) {
      throw new Error(vscode.l10n.t('This config already has a resource named "{0}".', newName));
    }
    return found.renameTo(newName);
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[] | undefined> {
    const offset = document.offsetAt(position);
    const checked = this.find(document);
    if (!checked) return undefined;
    const parsed = await this.configs.get(document);
    if (!parsed?.tree) return undefined;
    const { path, previousNode, isAtPropertyKey } = locateInTree(parsed.text, parsed.tree, offset);
    if (isAtPropertyKey || !isReferencePath(path)) return undefined;
    const range =
      previousNode?.type === 'string'
        ? toRange(document, previousNode)
        : new vscode.Range(position, position);
    const isFrame = path.includes('frame');
    const names = await namesOf(parsed, checked);
    return [...names, ...(isFrame ? ['world'] : [])].map((name) => {
      const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Reference);
      item.insertText = JSON.stringify(name);
      item.filterText = item.insertText;
      item.range = range;
      return item;
    });
  }

  /** Returns all occurrences of the name at a position; undefined if there is no name. */
  private async namesAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<NameMatch | undefined> {
    const checked = this.find(document);
    if (!checked) return undefined;
    const at = document.offsetAt(position);
    const parsed = await this.configs.get(document);
    const offset = parsed?.config?.tree.findAt(at)?.offset;
    if (!parsed?.root || offset === undefined) return undefined;
    const names = await this.configs.run(allNamesInSteps(parsed.root, checked.resolved));
    if (document.version !== parsed.version) return undefined;
    const one: Named | undefined =
      names.definitions.find(({ name }) => name.node.offset === offset) ??
      names.references.find((reference) => reference.at.node.offset === offset);
    return one && new NameMatch(document, parsed, names, one);
  }
}

class NameMatch {
  readonly text: string;
  readonly definitions: readonly ResourceDefinition[];
  private readonly references: readonly ResourceReference[];

  constructor(
    private readonly document: vscode.TextDocument,
    readonly parsed: ParsedDocument,
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
async function namesOf(
  parsed: ParsedDocument,
  { resolved }: CheckedConfig,
): Promise<ReadonlySet<string>> {
  const own = parsed.config ? (await parsed.findNames()).definitions : [];
  const names = resolved ? allResourceNames(resolved.config) : new Set<string>();
  for (const { text: name } of own) names.add(name);
  return names;
}

function locationOf(document: vscode.TextDocument, node: TextRange): vscode.Location {
  return new vscode.Location(document.uri, toRange(document, node));
}
