/** Texts of the forecast and the budget on the Overview. */
export const words = {
  forecast: (amount: string) => `Forecast ${amount}`,
  forecastTo: (label: string) => `, ${label} at the end of the month`,
  budget: (amount: string) => `Budget ${amount}`,
};
