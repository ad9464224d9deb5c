import * as vscode from 'vscode';
import type { Event } from '../../base/emitter';

/** Source of nodes and their relations, independent of VS Code. */
export interface NodeSource<N> {
  /** Fires with the node whose children changed; undefined for all nodes. */
  readonly onDidChange: Event<N | undefined>;
  listChildren(node?: N): Promise<readonly N[]>;
  findParent(node: N): N | undefined;
}

/** Renderer of nodes. */
export interface NodeRenderer<N> {
  render(node: N): vscode.TreeItem;
  /** Returns the tooltip. Might call the service. */
  tooltip(node: N): Promise<string | vscode.MarkdownString | undefined>;
}

/** Tree view provider for any node source. */
export class NodeTreeProvider<N> implements vscode.TreeDataProvider<N> {
  readonly onDidChangeTreeData: vscode.Event<N | undefined>;

  constructor(
    private readonly source: NodeSource<N>,
    private readonly renderer: NodeRenderer<N>,
  ) {
    this.onDidChangeTreeData = (listener) =>
      new vscode.Disposable(createDisposer(source.onDidChange(listener)));
  }

  getTreeItem(node: N): vscode.TreeItem {
    const item = this.renderer.render(node);
    // Without this label, screen readers read the whole tooltip as the name once the pointer has
    // been on the row.
    item.accessibilityInformation ??= { label: getName(item) };
    return item;
  }

  async getChildren(node?: N): Promise<N[]> {
    return [...(await this.source.listChildren(node))];
  }

  getParent(node: N): N | undefined {
    return this.source.findParent(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: N): Promise<vscode.TreeItem> {
    const tooltip = await this.renderer.tooltip(node);
    if (tooltip !== undefined) item.tooltip = tooltip;
    return item;
  }
}

/** Returns the text that the row shows. */
function getName({ label = '', description }: vscode.TreeItem): string {
  const name = typeof label === 'string' ? label : label.label;
  return typeof description === 'string' && description !== '' ? `${name}, ${description}` : name;
}

function createDisposer(item: { dispose(): void }): () => void {
  return () => item.dispose();
}
