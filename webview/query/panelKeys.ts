interface KeyActions {
  readonly run: () => void;
  readonly runSelection: () => void;
  readonly cancel: () => void;
}

/**
 * Handles the keys that work everywhere in the panel, unless the focused element has handled them.
 */
export function panelKeys(root: HTMLElement, { run, runSelection, cancel }: KeyActions): void {
  root.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const { key, shiftKey } = event;
    const isMain = event.ctrlKey || event.metaKey;
    if (key === 'Enter' && isMain) (shiftKey ? runSelection : run)();
    else if (key === 'Escape' && shiftKey && !isMain) cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
