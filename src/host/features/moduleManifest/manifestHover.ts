import * as vscode from 'vscode';
import type { DescribedField } from '../../../core/modules/manifest/fieldDescription';
import { type ManifestReader, rangeAt } from './manifestReader';

/**
 * Says what fields are for in manifests that name a schema of their own: VS Code asks that one instead
 * of ours then, from an address that may not be reached.
 */
export class ManifestHover implements vscode.HoverProvider {
  private schema: Promise<DescribedField> | undefined;

  /** @param schemaUri of the schema that the extension brings along */
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
