/** Texts of the key figures, the forecast and the budget on the Overview. */
export const words = {
  forecast: (amount: string) => `Forecast ${amount}`,
  forecastTo: (label: string) => `, ${label} at the end of the month`,
  budget: (amount: string) => `Budget ${amount}`,
  forecastOf: (month: string) => `Forecast, ${month}`,
  budgetOf: (month: string) => `Budget, ${month}`,
  over: (amount: string) => `${amount} over budget`,
  under: (amount: string) => `${amount} under budget`,
  noBudget: 'No budget for all costs',
  firing: 'Events firing',
  firingHelp: 'Firing events that triage does not hide',
  noneFiring: 'Nothing firing now',
};
