/** What the keyboard does in the tree. */
export interface TreeByKeys {
  readonly rowsPerPage: number;
  step(lines: number): void;
  /** Opens what is closed, or goes to the first of what is within. */
  enter(): void;
  /** Closes what is open, or goes to what it is within. */
  leave(): void;
  toggle(): void;
  view(): void;
  copy(): void;
  /** @returns false when there is nowhere to go. */
  escape(): boolean;
}

const FAR = Number.MAX_SAFE_INTEGER;

/** The keys of a tree as the ARIA practices have them. What is taken goes no further than here. */
export function listenToTreeKeys(target: HTMLElement, tree: TreeByKeys): void {
  target.addEventListener('keydown', (event) => {
    if (event.target !== target || event.altKey) return;
    const act = actOf(event, tree);
    if (!act || act() === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function actOf(event: KeyboardEvent, tree: TreeByKeys): (() => unknown) | undefined {
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
