# `nix run` runs the program, nixosModules.default has services.shortcrust. `npm run release` fills in package.nix.
{
  description = "Pastes and short links from one executable, for a LAN";

  inputs.nixpkgs.url = "nixpkgs";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: rec {
        shortcrust = nixpkgs.legacyPackages.${system}.callPackage ./package.nix { };
        default = shortcrust;
      });
      nixosModules = rec {
        shortcrust = import ./module.nix self;
        default = shortcrust;
      };
    };
}
