/** Questions that a made-up policy is trained on: sums in words, the same ones in every run, so that runs can be compared by prompt. */
import { Random } from "./random.ts";

export interface Task {
  readonly id: string;
  readonly question: string;
  /** Lines of the way to the answer. */
  readonly working: readonly string[];
  readonly answer: number;
}

interface Story {
  /** Three numbers, and what comes of them. */
  tell(a: number, b: number, c: number): { question: string; working: string[]; answer: number };
}

const STORIES: readonly [Story, ...Story[]] = [
  {
    tell: (a, b, c) => ({
      question: `A crate holds ${a} jars. ${b} crates arrive, and ${c} jars turn out to be broken. How many jars can be sold?`,
      working: [
        `${b} crates of ${a} jars are ${b} × ${a} = ${a * b} jars.`,
        `${a * b} − ${c} = ${a * b - c} are left.`,
      ],
      answer: a * b - c,
    }),
  },
  {
    tell: (a, b, c) => ({
      question: `Mira reads ${a} pages on each of ${b} days and ${c} pages on the day after. How many pages has she read?`,
      working: [
        `${b} days make ${a} × ${b} = ${a * b} pages.`,
        `With the last day: ${a * b} + ${c} = ${a * b + c}.`,
      ],
      answer: a * b + c,
    }),
  },
  {
    tell: (a, b, c) => ({
      question: `A ferry takes ${a} cars and ${b} vans. It sails ${c} times, always full. How many vehicles does it carry?`,
      working: [
        `One trip carries ${a} + ${b} = ${a + b} vehicles.`,
        `${c} trips carry ${a + b} × ${c} = ${(a + b) * c}.`,
      ],
      answer: (a + b) * c,
    }),
  },
  {
    tell: (a, b, c) => ({
      question: `${b} friends share a bill of ${b * (a + c)} coins equally. Each has paid ${a} already. How much does each still owe?`,
      working: [
        `Each owes ${b * (a + c)} ÷ ${b} = ${a + c} in all.`,
        `${a + c} − ${a} = ${c} is still open.`,
      ],
      answer: c,
    }),
  },
];

const COUNT = 24;

function makeTasks(): readonly Task[] {
  const random = new Random(11, "tasks");
  return Array.from({ length: COUNT }, (_, i) => {
    const story = STORIES[i % STORIES.length] ?? STORIES[0];
    const told = story.tell(random.whole(6, 24), random.whole(3, 12), random.whole(4, 18));
    return { id: `sum-${String(i).padStart(2, "0")}`, ...told };
  });
}

const TASKS = makeTasks();
const RULES =
  "Think between <think> and </think>, then give the number alone between <answer> and </answer>.";

/** @param index any whole number from 0 */
export function taskAt(index: number): Task {
  return TASKS[index % COUNT] ?? (TASKS[0] as Task);
}

export function promptOf({ question }: Task): string {
  return `${question}\n${RULES}`;
}
