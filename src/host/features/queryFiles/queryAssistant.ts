import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import * as vscode from 'vscode';
import type { QueriedOrganization } from '../../../core/query/schema/querySchemas';
import type { CompletionKind, QueryCompletion } from '../../../shared/query/editor';
import type { QueryLanguageService } from '../../platform/queryLanguage/queryLanguageService';
import { languages } from '../../../manifest/contributions';

/** Returns the organization that a document queries; undefined if the user hasn't selected one. */
export type FindOrganization = (
  document: vscode.TextDocument,
) => Promise<QueriedOrganization | undefined>;

/** Returns true if a document queries only recent data. */
export type IsRecent = (document: vscode.TextDocument) => boolean;

/** Characters other than letters that trigger suggestions. */
export const COMPLETION_TRIGGERS = ['.', '"', "'", '$', ':'];

const KINDS: Readonly<Record<CompletionKind, vscode.CompletionItemKind>> = {
  keyword: vscode.CompletionItemKind.Keyword,
  function: vscode.CompletionItemKind.Function,
  table: vscode.CompletionItemKind.Struct,
  column: vscode.CompletionItemKind.Field,
  field: vscode.CompletionItemKind.Property,
  stage: vscode.CompletionItemKind.Module,
  operator: vscode.CompletionItemKind.Operator,
  value: vscode.CompletionItemKind.Value,
  parameter: vscode.CompletionItemKind.Variable,
};

/** Provides suggestions and hovers for queries. */
export class QueryAssistant implements vscode.CompletionItemProvider, vscode.HoverProvider {
  constructor(
    private readonly language: QueryLanguageService,
    private readonly findOrganization: FindOrganization,
  ) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    { triggerKind }: vscode.CompletionContext,
  ): Promise<vscode.CompletionItem[]> {
    const language = toQueryLanguage(document.languageId);
    if (!language) return [];
    const offset = document.offsetAt(position);
    const explicit = triggerKind === vscode.CompletionTriggerKind.Invoke;
    const query = { language, text: document.getText(), offset, explicit };
    const { from, to, options } = await this.language.complete(
      query,
      await this.findOrganization(document),
    );
    if (token.isCancellationRequested) return [];
    const range = toRange(document, { start: from, end: to ?? offset });
    return options.map((option, index) => toCompletionItem(option, index, range));
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const language = toQueryLanguage(document.languageId);
    if (!language) return undefined;
    const query = { language, text: document.getText() };
    const offset = document.offsetAt(position);
    const organization = await this.findOrganization(document);
    const found = await this.language.hover(query, offset, organization);
    if (!found) return undefined;
    const texts = [new vscode.MarkdownString().appendCodeblock(found.code, 'text')];
    if (found.text !== undefined) texts.push(new vscode.MarkdownString().appendText(found.text));
    return new vscode.Hover(texts, toRange(document, found));
  }
}

/** Converts a text span to a range in its document. */
export function toRange(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function toCompletionItem(
  { label, kind, detail, info, insert, isSnippet }: QueryCompletion,
  index: number,
  range: vscode.Range,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(label, KINDS[kind]);
  const text = insert ?? label;
  item.range = range;
  item.insertText = isSnippet === true ? new vscode.SnippetString(text) : text;
  item.sortText = String(index).padStart(5, '0');
  if (detail !== undefined) item.detail = detail;
  if (info !== undefined) item.documentation = info;
  return item;
}

/** Documents that can contain a query: files, notebook cells, and unsaved documents. */
export const QUERY_DOCUMENTS = Object.values(languages).map(({ id }) => ({ language: id }));

/** Scheme of notebook cells. */
const CELL_SCHEME = 'vscode-notebook-cell';

/** Returns true for a notebook cell. Cells are run with separate commands. */
export function isCell({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return uri.scheme === CELL_SCHEME;
}
