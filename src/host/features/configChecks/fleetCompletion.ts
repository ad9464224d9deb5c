import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withToken } from '../../../base/cancellation';
import {
  type CompletionContext,
  type CompletionSubject,
  findCompletionContext,
} from '../../../core/configChecks/completionContext';
import { documentedAttributes } from '../../../core/configChecks/documentedAttributes';
import { LATEST } from '../../../core/configChecks/ruleTables';
import type { FleetCatalog } from '../../../core/configChecks/fleetCatalog';
import { moduleIdsIn } from '../../../core/configChecks/fleetReferences';
import { parseConfigText } from '../../../core/documents/resolvedText';
import type { DocumentSubject } from '../../../core/documents/documentAddress';
import { variablesIn } from '../../../core/fragments/fragmentImport';
import type { RegistryItem } from '../../../core/model/registryItem';
import { toQuickPickText } from '../../platform/text/displayText';
import type { FindChecked } from './configLanguage';
import type { FleetCatalogs } from './fleetCatalogs';
import { toRange } from '../../platform/documents/toRange';
import type { ParsedConfigs } from './parsedConfigs';

/** Debounce delay in milliseconds before the registry is searched for the typed text. */
const SEARCH_DELAY_MS = 200;

/** Proposal for a value or key. */
interface Proposal {
  /** Text to insert, before it is quoted. */
  readonly text: string;
  readonly kind: vscode.CompletionItemKind;
  /** Name to show instead of the text. */
  readonly name?: string;
  /** Short text after the name. */
  readonly note?: string | undefined;
  readonly detail?: string;
  /** Plain text. */
  readonly documentation?: string;
  /** JSON of the value that follows a new key; a placeholder if absent. */
  readonly value?: string | undefined;
}

interface FleetCompletionOptions {
  /** Waits for the debounce delay. @throws the signal's reason when it aborts first. */
  readonly debounce?: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Completion from the fleet: fragments, modules and their versions, models from the modules that a
 * config lists, attributes that a module's page documents, and a fragment's variables. The catalog
 * reads each of them once, so typing causes no further calls. Only a registry that doesn't list all
 * of its modules is searched when the user pauses.
 */
export class FleetCompletion implements vscode.CompletionItemProvider {
  private readonly debounce: (signal: AbortSignal) => Promise<unknown>;

  constructor(
    private readonly catalogs: FleetCatalogs,
    private readonly configs: ParsedConfigs,
    private readonly findChecked: FindChecked,
    { debounce }: FleetCompletionOptions = {},
  ) {
    this.debounce =
      debounce ?? ((signal) => setTimeoutPromise(SEARCH_DELAY_MS, undefined, { signal }));
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    const fleet = this.catalogs.find(document);
    if (!fleet) return undefined;
    const offset = document.offsetAt(position);
    const parsed = await this.configs.get(document);
    const context = parsed && findCompletionContext(parsed.text, offset, parsed.tree);
    if (!context) return undefined;
    const range = toRange(document, context.range);
    const known = this.findChecked(document)?.resolved?.config;
    const moduleIds = [...new Set([...context.moduleIds, ...(known ? moduleIdsIn(known) : [])])];
    const typed = parsed.text.slice(context.range.offset, offset).replace(/^"/, '').trim();
    const found = new Proposals(fleet.catalog, fleet.subject, moduleIds, async () =>
      (await this.canSearch(fleet.catalog, typed, token)) ? fleet.catalog.searchModules(typed) : [],
    );
    const proposals = await found.find(context.subject);
    if (token.isCancellationRequested) return undefined;
    const items = proposals.map((one, index) => toItem(one, index, range, context));
    return new vscode.CompletionList(items, found.isIncomplete);
  }

  /**
   * Waits until the user pauses, unless the results for the text are cached.
   * @returns false if the user has continued typing, if there is no text, or if the catalog is paused.
   */
  private async canSearch(
    catalog: FleetCatalog,
    text: string,
    token: vscode.CancellationToken,
  ): Promise<boolean> {
    if (text === '' || catalog.pause) return false;
    if (catalog.hasSearchedModules(text)) return true;
    try {
      await withToken(token, this.debounce);
    } catch (error) {
      if (!token.isCancellationRequested) throw error;
    }
    return !token.isCancellationRequested;
  }
}

class Proposals {
  /** True if the registry can have other modules for the next characters. */
  isIncomplete = false;

  /** @param search finds modules that the registry doesn't list. */
  constructor(
    private readonly catalog: FleetCatalog,
    private readonly subject: DocumentSubject,
    private readonly moduleIds: readonly string[],
    private readonly search: () => Promise<readonly RegistryItem[]>,
  ) {}

  find(subject: CompletionSubject): Promise<Proposal[]> {
    switch (subject.kind) {
      case 'fragment':
        return this.fragments();
      case 'module':
        return this.modulesOfRegistry();
      case 'version':
        return this.versions(subject.moduleId);
      case 'model':
        return this.models(subject);
      case 'attribute':
        return this.attributes(subject);
      case 'variable':
        return this.variables(subject);
    }
  }

  private async fragments(): Promise<Proposal[]> {
    const organization = await this.catalog.organization(this.subject);
    const list = organization && (await this.catalog.fragments(organization));
    // A fragment can't contain itself.
    return (list?.value ?? [])
      .filter(({ id }) => id !== this.subject.id)
      .map(({ id, name }) => ({
        text: id,
        name: toQuickPickText(name),
        kind: vscode.CompletionItemKind.Module,
        note: id,
      }));
  }

  private async modulesOfRegistry(): Promise<Proposal[]> {
    const organization = await this.catalog.organization(this.subject);
    if (!organization) return [];
    const { items, isComplete } = await this.catalog.modules(organization);
    this.isIncomplete = !isComplete;
    const found = isComplete ? [] : await this.search();
    const modules = new Map([...found, ...items].map((item) => [item.id, item]));
    return [...modules.values()]
      .filter(({ deprecated }) => !deprecated)
      .map(({ id, description }) => ({
        text: id,
        kind: vscode.CompletionItemKind.Module,
        documentation: description,
      }));
  }

  private async versions(id: string): Promise<Proposal[]> {
    const versions = (await this.catalog.module(id))?.value?.versions ?? [];
    const kind = vscode.CompletionItemKind.Value;
    const numbered = versions.map(({ version, deprecated, files }) => ({
      text: version,
      kind,
      note: deprecated ? vscode.l10n.t('deprecated') : undefined,
      detail: [...new Set(files.map(({ platform }) => platform))].join(', '),
    }));
    return versions.length === 0 ? [] : [...numbered, ...LATEST.map((text) => ({ text, kind }))];
  }

  private async models({
    section,
    api,
  }: Extract<CompletionSubject, { kind: 'model' }>): Promise<Proposal[]> {
    const kind = section === 'components' ? 'component' : 'service';
    return (await this.listedModules()).flatMap(({ id, models }) =>
      models
        .filter((one) => (api === undefined ? one.api.split(':')[1] === kind : one.api === api))
        .map(({ model, description }) => ({
          text: model,
          kind: vscode.CompletionItemKind.Class,
          detail: id,
          documentation: description ?? '',
        })),
    );
  }

  private async attributes({
    model,
    written,
  }: Extract<CompletionSubject, { kind: 'attribute' }>): Promise<Proposal[]> {
    const modules = await this.listedModules();
    const module = modules.find(({ models }) => models.some((one) => one.model === model));
    if (!module) return [];
    return documentedAttributes(module, model)
      .filter(({ name }) => !written.has(name) && !name.includes('.'))
      .map(({ name, type, isRequired, description }) => ({
        text: name,
        kind: vscode.CompletionItemKind.Property,
        note: isRequired ? vscode.l10n.t('required') : undefined,
        detail: type,
        documentation: description,
        value: emptyValue(type),
      }));
  }

  private async variables({
    fragmentId,
    version,
    written,
  }: Extract<CompletionSubject, { kind: 'variable' }>): Promise<Proposal[]> {
    const fragment = (await this.catalog.fragment(fragmentId, version))?.value;
    const config = fragment && parseConfigText(fragment.configText);
    if (config === undefined) return [];
    return variablesIn(config)
      .filter(({ name }) => !written.has(name))
      .map(({ name, defaultValue }) => ({
        text: name,
        kind: vscode.CompletionItemKind.Variable,
        ...(defaultValue === undefined
          ? { note: vscode.l10n.t('required') }
          : { detail: JSON.stringify(defaultValue), value: JSON.stringify(defaultValue) }),
      }));
  }

  private async listedModules(): Promise<readonly RegistryItem[]> {
    const modules = await this.catalog.modulesById(this.moduleIds);
    return [...modules.values()].filter((module) => module !== undefined);
  }
}

function toItem(
  { text, kind, name, note, detail, documentation, value }: Proposal,
  index: number,
  range: vscode.Range,
  { needsValue }: Pick<CompletionContext, 'needsValue'>,
): vscode.CompletionItem {
  const label = name ?? text;
  const item = new vscode.CompletionItem(note ? { label, description: note } : label, kind);
  const quoted = JSON.stringify(text);
  item.insertText = quoted;
  if (needsValue) {
    item.insertText = new vscode.SnippetString().appendText(`${quoted}: `);
    if (value === undefined) item.insertText.appendTabstop(0);
    else item.insertText.appendPlaceholder(value, 0);
  }
  item.filterText = name === undefined ? quoted : `"${name} ${text}"`;
  // Versions are newest first, and attributes in documentation order.
  item.sortText = String(index).padStart(5, '0');
  item.range = range;
  if (detail) item.detail = detail;
  if (documentation) item.documentation = documentation;
  return item;
}

/** Returns the JSON for an empty value of a documented type; undefined for an unknown type. */
function emptyValue(type: string): string | undefined {
  const name = type.toLowerCase();
  if (/\[\]|^(?:list|array|slice)/.test(name)) return '[]';
  if (/^(?:object|map|struct|dict|json)/.test(name)) return '{}';
  if (name.startsWith('str')) return '""';
  if (name.startsWith('bool')) return 'false';
  return /^(?:int|uint|float|double|number)/.test(name) ? '0' : undefined;
}
