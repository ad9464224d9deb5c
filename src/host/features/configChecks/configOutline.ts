import * as vscode from 'vscode';
import { type OutlineItem, outlineConfigInSteps } from '../../../core/configChecks/configOutline';
import { toDisplayText } from '../../../core/model/displayText';
import type { FleetCatalogs } from './fleetCatalogs';
import { toRange } from './configDocument';
import type { ParsedConfigs } from './parsedConfigs';

/** Outline of a config: its sections, and the names and models of their entries. */
export class ConfigOutline implements vscode.DocumentSymbolProvider {
  constructor(
    private readonly catalogs: FleetCatalogs,
    private readonly configs: ParsedConfigs,
  ) {}

  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const parsed = this.catalogs.find(document) && (await this.configs.get(document));
    if (!parsed?.root) return [];
    const items = await this.configs.run(outlineConfigInSteps(parsed.root));
    // The positions of offsets are only known for the current version.
    if (document.version !== parsed.version) return [];
    return this.configs.run(toSymbolsInSteps(document, items));
  }
}

function* toSymbolsInSteps(
  document: vscode.TextDocument,
  items: readonly OutlineItem[],
): Generator<undefined, vscode.DocumentSymbol[], void> {
  const symbols: vscode.DocumentSymbol[] = [];
  for (const item of items) {
    const symbol = toSymbol(document, item);
    symbol.children = yield* toSymbolsInSteps(document, item.children);
    symbols.push(symbol);
    yield;
  }
  return symbols;
}

function toSymbol(document: vscode.TextDocument, item: OutlineItem): vscode.DocumentSymbol {
  const { name, detail, node, nameNode, kind } = item;
  return new vscode.DocumentSymbol(
    // A symbol must have a name.
    toDisplayText(name ?? '') || vscode.l10n.t('Unnamed'),
    toDisplayText(detail),
    kind === 'section' ? vscode.SymbolKind.Namespace : vscode.SymbolKind.Object,
    toRange(document, node),
    toRange(document, nameNode),
  );
}
