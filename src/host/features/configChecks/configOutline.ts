import * as vscode from 'vscode';
import { type OutlineItem, outlineConfig } from '../../../core/configChecks/configOutline';
import { toDisplayText } from '../../../core/model/displayText';
import type { FleetCatalogs } from './fleetCatalogs';
import { parseDocument, toRange } from './configDocument';

/** Outline of a config: its sections, and the names and models of their entries. */
export class ConfigOutline implements vscode.DocumentSymbolProvider {
  constructor(private readonly catalogs: FleetCatalogs) {}

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const root = this.catalogs.find(document) && parseDocument(document);
    if (!root) return [];
    return outlineConfig(root).map((item) => toSymbol(document, item));
  }
}

function toSymbol(document: vscode.TextDocument, item: OutlineItem): vscode.DocumentSymbol {
  const { name, detail, node, nameNode, kind, children } = item;
  const symbol = new vscode.DocumentSymbol(
    // A symbol must have a name.
    toDisplayText(name ?? '') || vscode.l10n.t('Unnamed'),
    toDisplayText(detail),
    kind === 'section' ? vscode.SymbolKind.Namespace : vscode.SymbolKind.Object,
    toRange(document, node),
    toRange(document, nameNode),
  );
  symbol.children = children.map((child) => toSymbol(document, child));
  return symbol;
}
