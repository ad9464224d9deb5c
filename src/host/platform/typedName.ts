import { displayName } from '../../core/model/displayText';

const LONGEST_TYPED_NAME = 60;

/** How something that is about to be destroyed is shown, and what is typed to confirm it. */
export interface TypedName {
  readonly shown: string;
  /** The name, or the id where the name cannot be typed. */
  readonly expected: string;
}

export function typedName(named: { readonly name: string; readonly id: string }): TypedName {
  const { name, id } = named;
  const shown = displayName(named);
  const isTypable = shown === name && name.trim() === name && name.length <= LONGEST_TYPED_NAME;
  return { shown, expected: isTypable ? name : id };
}
