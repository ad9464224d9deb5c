/** Something that happened to the fleet in the past. */
export interface Step {
  at: Date;
  run(): Promise<void>;
}

/** An id that the service gives in one step and later steps use. */
export class Pending {
  private value: string | undefined;

  constructor(private readonly what: string) {}

  /** @throws Error when a step uses the resource before another one makes it. */
  get id(): string {
    if (this.value === undefined) {
      throw new Error(`the demo fleet uses ${this.what} before it is made`);
    }
    return this.value;
  }

  made(id: string): void {
    this.value = id;
  }
}

/** Steps of one moment stay in the order in which they stand. */
export function inOrderOfTime(steps: readonly Step[]): Step[] {
  return [...steps].sort((left, right) => left.at.getTime() - right.at.getTime());
}

/** One of the story's resources by its name. */
export function pendingOf(all: ReadonlyMap<string, Pending>, name: string): Pending {
  const pending = all.get(name);
  if (pending === undefined) {
    throw new Error(`the demo fleet has no "${name}"`);
  }
  return pending;
}
