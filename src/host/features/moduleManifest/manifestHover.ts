import * as vscode from 'vscode';
import type { DescribedField } from '../../../core/modules/manifest/fieldDescription';
import { type ManifestReader, rangeAt } from './manifestReader';

/**
 * Shows descriptions of fields in manifests that specify their own schema. VS Code then uses that
 * schema instead of the bundled one, and its URL might be unreachable.
 */
export class ManifestHover implements vscode.HoverProvider {
  private schema: Promise<DescribedField> | undefined;

  /** @param schemaUri URI of the bundled schema */
  constructor(
    private readonly reader: ManifestReader,
    private readonly schemaUri: vscode.Uri,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const parsed = await this.reader.read(document);
    if (!parsed?.root) return undefined;
    const { describeField } = await import('../../../core/modules/manifest/fieldDescription');
    const { findField } = await import('../../../core/modules/manifest/manifestTree');
    if (!findField(parsed.root, ['$schema'])) return undefined;
    const schema = await (this.schema ??= this.readSchema());
    const offset = document.offsetAt(position);
    const found = describeField(document.getText(), offset, { parsed, schema });
    if (!found) return undefined;
    const texts = found.texts.map((text) => new vscode.MarkdownString().appendText(text));
    return new vscode.Hover(texts, rangeAt(document, found.span));
  }

  private async readSchema(): Promise<DescribedField> {
    const bytes = await vscode.workspace.fs.readFile(this.schemaUri);
    const schema = JSON.parse(new TextDecoder().decode(bytes)) as { readonly then: DescribedField };
    return schema.then;
  }
}
