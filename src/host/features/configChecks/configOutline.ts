import * as vscode from 'vscode';
import { type OutlineItem, outlineConfigInSteps } from '../../../core/configChecks/configOutline';
import { toDisplayText } from '../../../core/model/displayText';
import type { FleetCatalogs } from './fleetCatalogs';
import { toRange } from '../../platform/documents/toRange';
import type { ParsedConfigs } from './parsedConfigs';

/**
 * Outline of a config: the names of its entries with their sections and models. VS Code's JSON
 * outline lists the keys of the same document, but an entry only by its index, and Go to Symbol
 * shows both. So this outline is flat and repeats nothing from the other one, such as sections.
 */
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
  for (const { section, name, detail, node, nameNode } of items) {
    const shown = toDisplayText(name);
    // A symbol must have a name.
    if (shown !== '') {
      const description = [section, detail].filter((one) => one !== '').join(' · ');
      const kind = vscode.SymbolKind.Object;
      const [range, nameRange] = [toRange(document, node), toRange(document, nameNode)];
      symbols.push(
        new vscode.DocumentSymbol(shown, toDisplayText(description), kind, range, nameRange),
      );
    }
    yield;
  }
  return symbols;
}
