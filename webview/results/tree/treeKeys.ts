/** Tree actions that keys trigger. */
export interface TreeByKeys {
  readonly rowsPerPage: number;
  step(lines: number): void;
  /** Expands a collapsed line; on an expanded line, moves to its first child. */
  enter(): void;
  /** Collapses an expanded line; on a collapsed line, moves to its parent. */
  leave(): void;
  toggle(): void;
  view(): void;
  copy(): void;
  /** @returns false if Escape has no effect. */
  escape(): boolean;
}

const FAR = Number.MAX_SAFE_INTEGER;

/** Implements the keyboard interaction of the ARIA tree pattern. Handled keys don't propagate. */
export function listenToTreeKeys(target: HTMLElement, tree: TreeByKeys): void {
  target.addEventListener('keydown', (event) => {
    if (event.target !== target || event.altKey) return;
    const act = findKeyAction(event, tree);
    if (!act || act() === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function findKeyAction(event: KeyboardEvent, tree: TreeByKeys): (() => unknown) | undefined {
  const { key, ctrlKey, metaKey } = event;
  if (ctrlKey || metaKey) {
    const isCopy = key.toLowerCase() === 'c' && window.getSelection()?.isCollapsed !== false;
    if (isCopy) return () => tree.copy();
    if (key === 'Home') return () => tree.step(-FAR);
    return key === 'End' ? () => tree.step(FAR) : undefined;
  }
  const acts: Readonly<Record<string, () => unknown>> = {
    ArrowUp: () => tree.step(-1),
    ArrowDown: () => tree.step(1),
    PageUp: () => tree.step(-tree.rowsPerPage),
    PageDown: () => tree.step(tree.rowsPerPage),
    Home: () => tree.step(-FAR),
    End: () => tree.step(FAR),
    ArrowRight: () => tree.enter(),
    ArrowLeft: () => tree.leave(),
    ' ': () => tree.toggle(),
    Enter: () => tree.view(),
    Escape: () => tree.escape(),
  };
  return acts[key];
}
