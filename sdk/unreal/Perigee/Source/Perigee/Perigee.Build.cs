using System.IO;
using UnrealBuildTool;

public class Perigee : ModuleRules
{
    public Perigee(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        CppStandard = CppStandardVersion.Cpp20;
        PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine" });
        PrivateDependencyModuleNames.AddRange(new string[] { "HTTP", "Json", "Projects", "Sockets" });
        // assemble.sh puts header and libraries there; the library is loaded by its name.
        string Library = Path.Combine(PluginDirectory, "Library");
        PrivateIncludePaths.Add(Path.Combine(Library, "include"));
        string Name = Target.Platform == UnrealTargetPlatform.Win64 ? "perigee_client.dll" : "libperigee_client.so";
        RuntimeDependencies.Add(Path.Combine(Library, Name));
    }
}
