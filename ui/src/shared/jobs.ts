import { createStore, useStore } from './store';

/** Work that outlives the page that started it, shown in the status bar. */
export interface Job {
  id: string;
  title: string;
  /** Fraction done, or null while it cannot be told. */
  done: number | null;
  /** Whether something comes to this computer; else something is handed in. */
  comes?: boolean;
  /** The address of the page that shows more. */
  page: string;
}

const jobs = createStore<readonly Job[]>([]);

/** Adds the job, or changes it when it is known by its id. */
export function showJob(job: Job): void {
  jobs.set((all) => (all.some((j) => j.id === job.id) ? all.map((j) => (j.id === job.id ? job : j)) : [...all, job]));
}

export function endJob(id: string): void {
  jobs.set((all) => all.filter((job) => job.id !== id));
}

export function useJobs(): readonly Job[] {
  return useStore(jobs);
}
