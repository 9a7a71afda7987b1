/** Texts of Automation, Approvals. */
export const texts = {
  noneWaits: {
    title: 'Nothing waits for approval',
    text: 'Runs that wait at a core.approval task appear here until someone decides or they time out.',
  },
  noneDecided: { title: 'No decisions yet', text: 'Decisions appear here with who made them and why.' },
  noPlan: 'No task after this answer changes or sends anything.',
  final: 'You cannot undo an answer: the run continues at once.',
  planChanged: 'Your answer counts for this plan only. If the plan changes first, the answer is rejected.',
} as const;
